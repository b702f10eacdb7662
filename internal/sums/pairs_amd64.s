#include "textflag.h"

// A register holds two sums: those of a model, or those of parts. SSE2 is all it needs, which every such processor has.

// func add(s *Sums, first *float64, stride, count int, index *int32, value *float32, nonZeros int) (done int)
TEXT ·add(SB), NOSPLIT, $0-64
	MOVQ   s+0(FP), DI
	MOVQ   first+8(FP), SI
	MOVQ   stride+16(FP), R8
	MOVQ   count+24(FP), R10
	MOVQ   index+32(FP), BX
	MOVQ   value+40(FP), R13
	MOVQ   nonZeros+48(FP), CX
	MOVUPD 0(DI), X0
	MOVUPD 16(DI), X1
	XORQ   AX, AX
	TESTQ  R13, R13
	JZ     one

next:
	MOVLQSX  (BX)(AX*4), R11
	CMPQ     R11, R10
	JCC      end
	IMULQ    R8, R11
	MOVSS    (R13)(AX*4), X6
	CVTSS2SD X6, X6
	UNPCKLPD X6, X6
	MOVUPD   0(SI)(R11*1), X3
	MOVUPD   16(SI)(R11*1), X4
	MULPD    X6, X3
	MULPD    X6, X4
	ADDPD    X3, X0
	ADDPD    X4, X1
	INCQ     AX
	CMPQ     AX, CX
	JLT      next
	JMP      end

one: // all values are 1
	MOVLQSX (BX)(AX*4), R11
	CMPQ    R11, R10
	JCC     end
	IMULQ   R8, R11
	MOVUPD  0(SI)(R11*1), X3
	MOVUPD  16(SI)(R11*1), X4
	ADDPD   X3, X0
	ADDPD   X4, X1
	INCQ    AX
	CMPQ    AX, CX
	JLT     one

end:
	MOVUPD X0, 0(DI)
	MOVUPD X1, 16(DI)
	MOVQ   AX, done+56(FP)
	RET

// func addWith(s *Sums, first *float64, stride, count int, index *int32, value *float32, nonZeros int, parts *Part, number int64) (done int)
TEXT ·addWith(SB), NOSPLIT, $0-80
	MOVQ   s+0(FP), DI
	MOVQ   first+8(FP), SI
	MOVQ   stride+16(FP), R8
	MOVQ   count+24(FP), R10
	MOVQ   index+32(FP), BX
	MOVQ   value+40(FP), R13
	MOVQ   nonZeros+48(FP), CX
	MOVQ   parts+56(FP), DX
	MOVQ   number+64(FP), R9
	MOVUPD 0(DI), X0
	MOVUPD 16(DI), X1
	MOVUPD 32(DI), X2
	XORQ   AX, AX
	TESTQ  R13, R13
	JZ     one

next:
	MOVLQSX  (BX)(AX*4), R11
	CMPQ     R11, R10
	JCC      end
	LEAQ     (R11)(R11*2), R12
	LEAQ     (DX)(R12*8), R12    // its part, of 24 bytes
	CMPQ     R9, 0(R12)
	JNE      end
	IMULQ    R8, R11
	MOVSS    (R13)(AX*4), X6
	CVTSS2SD X6, X6
	UNPCKLPD X6, X6
	MOVUPD   0(SI)(R11*1), X3
	MOVUPD   16(SI)(R11*1), X4
	MOVUPD   8(R12), X5
	MULPD    X6, X3
	MULPD    X6, X4
	MULPD    X6, X6
	MULPD    X6, X5
	ADDPD    X3, X0
	ADDPD    X4, X1
	ADDPD    X5, X2
	INCQ     AX
	CMPQ     AX, CX
	JLT      next
	JMP      end

one: // all values are 1
	MOVLQSX (BX)(AX*4), R11
	CMPQ    R11, R10
	JCC     end
	LEAQ    (R11)(R11*2), R12
	LEAQ    (DX)(R12*8), R12
	CMPQ    R9, 0(R12)
	JNE     end
	IMULQ   R8, R11
	MOVUPD  0(SI)(R11*1), X3
	MOVUPD  16(SI)(R11*1), X4
	MOVUPD  8(R12), X5
	ADDPD   X3, X0
	ADDPD   X4, X1
	ADDPD   X5, X2
	INCQ    AX
	CMPQ    AX, CX
	JLT     one

end:
	MOVUPD X0, 0(DI)
	MOVUPD X1, 16(DI)
	MOVUPD X2, 32(DI)
	MOVQ   AX, done+72(FP)
	RET

DATA ·one<>+0(SB)/4, $0x3F800000 // 1 in single precision
GLOBL ·one<>(SB), RODATA|NOPTR, $4

// func addNarrow(s *Sums, first *float64, stride, count int, index *byte, marks uint64, value *byte, nonZeros int, parts *Part, number int64) (done int)
//
// Which values are 1 cannot be foreseen: there is no branch on it.
TEXT ·addNarrow(SB), NOSPLIT, $0-88
	MOVQ   s+0(FP), DI
	MOVQ   first+8(FP), SI
	MOVQ   stride+16(FP), R8
	MOVQ   count+24(FP), R10
	MOVQ   index+32(FP), BX
	MOVQ   value+48(FP), R13
	MOVQ   nonZeros+56(FP), CX
	MOVQ   parts+64(FP), DX
	MOVQ   number+72(FP), R9
	MOVUPD 0(DI), X0
	MOVUPD 16(DI), X1
	MOVUPD 32(DI), X2
	XORQ   AX, AX
	MOVQ   marks+40(FP), DI
	TESTQ  DI, DI
	JZ     ones

next:
	MOVWLZX  (BX)(AX*2), R11
	CMPQ     R11, R10
	JCC      end
	LEAQ     (R11)(R11*2), R12
	LEAQ     (DX)(R12*8), R12    // its part, of 24 bytes
	CMPQ     R9, 0(R12)
	JNE      end
	IMULQ    R8, R11
	LEAQ     ·one<>(SB), R15
	SHRQ     $1, DI
	CMOVQCS  R13, R15
	MOVSS    (R15), X6
	SBBQ     R15, R15            // −1 if it has a value of its own, else 0
	SHLQ     $2, R15
	SUBQ     R15, R13
	CVTSS2SD X6, X6
	UNPCKLPD X6, X6
	MOVUPD   0(SI)(R11*1), X3
	MOVUPD   16(SI)(R11*1), X4
	MOVUPD   8(R12), X5
	MULPD    X6, X3
	MULPD    X6, X4
	MULPD    X6, X6
	MULPD    X6, X5
	ADDPD    X3, X0
	ADDPD    X4, X1
	ADDPD    X5, X2
	INCQ     AX
	CMPQ     AX, CX
	JLT      next
	JMP      end

ones: // all values are 1
	MOVWLZX (BX)(AX*2), R11
	CMPQ    R11, R10
	JCC     end
	LEAQ    (R11)(R11*2), R12
	LEAQ    (DX)(R12*8), R12
	CMPQ    R9, 0(R12)
	JNE     end
	IMULQ   R8, R11
	MOVUPD  0(SI)(R11*1), X3
	MOVUPD  16(SI)(R11*1), X4
	MOVUPD  8(R12), X5
	ADDPD   X3, X0
	ADDPD   X4, X1
	ADDPD   X5, X2
	INCQ    AX
	CMPQ    AX, CX
	JLT     ones

end:
	MOVQ   s+0(FP), DI
	MOVUPD X0, 0(DI)
	MOVUPD X1, 16(DI)
	MOVUPD X2, 32(DI)
	MOVQ   AX, done+80(FP)
	RET
