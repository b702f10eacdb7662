#include "textflag.h"
#include "go_asm.h"

DATA ones<>+0(SB)/8, $1.0
DATA ones<>+8(SB)/8, $1.0
GLOBL ones<>(SB), RODATA|NOPTR, $16

// func take(first *Step, r *Rule, values *float64, stride, count int, index *int32, value *float32, pairs int, length float64) (taken int, sum float64)
//
// A register holds the same number of two steps. SSE2 is all it needs, which every such processor has.
TEXT ·take(SB), NOSPLIT, $0-88
	MOVQ   first+0(FP), DI
	MOVQ   r+8(FP), DX
	MOVQ   values+16(FP), SI
	MOVQ   stride+24(FP), R8
	MOVQ   count+32(FP), R10
	MOVQ   index+40(FP), BX
	MOVQ   value+48(FP), R13
	MOVQ   pairs+56(FP), CX
	MOVSD  length+64(FP), X0
	MOVSD  Rule_Square(DX), X8
	MOVSD  Rule_Keep(DX), X9
	MOVSD  Rule_Start(DX), X10
	MOVSD  Rule_Noise(DX), X12
	MOVSD  Rule_Regularization(DX), X13
	MOVSD  Rule_Size(DX), X14
	MOVAPD X12, X11
	MULSD  X11, X11            // Noise²
	UNPCKLPD X8, X8
	UNPCKLPD X9, X9
	UNPCKLPD X10, X10
	UNPCKLPD X11, X11
	UNPCKLPD X12, X12
	UNPCKLPD X13, X13
	UNPCKLPD X14, X14
	XORPD  X15, X15
	XORQ   AX, AX

pair:
	MOVLQSX  0(BX)(AX*8), R11
	MOVLQSX  4(BX)(AX*8), R12
	CMPQ     R11, R10
	JCC      end
	CMPQ     R12, R10
	JCC      end
	CMPQ     R11, R12
	JEQ      end
	IMULQ    R8, R11
	IMULQ    R8, R12
	MOVUPD   0(SI)(R11*1), X1
	MOVUPD   0(SI)(R12*1), X2
	MOVAPD   X1, X3
	UNPCKLPD X2, X1               // curvatures
	UNPCKHPD X2, X3               // precisions
	MOVUPD   ones<>(SB), X2
	TESTQ    R13, R13
	JZ       squared
	MOVSD    0(R13)(AX*8), X2
	CVTPS2PD X2, X2
	MULPD    X2, X2

squared:
	MOVAPD   X2, X4
	MULPD    X8, X4               // information
	MULPD    X9, X1
	ADDPD    X4, X1               // curvature
	MOVLPD   X1, 0(SI)(R11*1)
	MOVHPD   X1, 0(SI)(R12*1)
	MOVAPD   X3, X5
	SUBPD    X10, X5
	MAXPD    X15, X5
	MULPD    X11, X5
	ADDPD    X1, X5               // slowed
	MULPD    X12, X3
	MULPD    X4, X3
	MOVAPD   X1, X6
	MULPD    X13, X6
	ADDPD    X3, X6               // pull
	SQRTPD   X1, X7
	MULPD    X5, X7
	MOVAPD   X6, X5
	MULPD    X14, X5
	ADDPD    X5, X7
	MOVAPD   X14, X5
	DIVPD    X7, X5               // taken
	MOVLPD   X1, 16(DI)
	MOVHPD   X1, 40(DI)
	MULPD    X5, X1               // step
	MULPD    X5, X6               // shrink
	MULPD    X1, X2
	ADDSD    X2, X0
	UNPCKHPD X2, X2
	ADDSD    X2, X0
	MOVAPD   X1, X7
	UNPCKLPD X6, X1
	UNPCKHPD X6, X7
	MOVUPD   X1, 0(DI)
	MOVUPD   X7, 24(DI)
	ADDQ     $48, DI
	INCQ     AX
	CMPQ     AX, CX
	JLT      pair

end:
	MOVQ  AX, taken+72(FP)
	MOVSD X0, sum+80(FP)
	RET

// func move(first *Step, t *Two, values *float64, stride, count int, index *int32, value *float32, nonZeros int) (done int)
//
// A register holds the same number of two models.
TEXT ·move(SB), NOSPLIT, $0-72
	MOVQ     first+0(FP), DI
	MOVQ     t+8(FP), DX
	MOVQ     values+16(FP), SI
	MOVQ     stride+24(FP), R8
	MOVQ     count+32(FP), R10
	MOVQ     index+40(FP), BX
	MOVQ     value+48(FP), R13
	MOVQ     nonZeros+56(FP), CX
	MOVUPD   Two_Gradient(DX), X8
	MOVSD    Two_PerDecay(DX), X9
	UNPCKLPD X9, X9
	XORQ     AX, AX

next:
	MOVLQSX  (BX)(AX*4), R11
	CMPQ     R11, R10
	JCC      moved
	IMULQ    R8, R11
	MOVUPD   0(SI)(R11*1), X1     // the first model: weight and average
	MOVUPD   16(SI)(R11*1), X2    // the second one
	MOVAPD   X1, X3
	UNPCKLPD X2, X3               // weights
	MOVAPD   X8, X4
	TESTQ    R13, R13
	JZ       one
	MOVSS    (R13)(AX*4), X5
	CVTSS2SD X5, X5
	UNPCKLPD X5, X5
	MULPD    X5, X4               // gradients times x

one:
	MOVUPD   0(DI), X5            // Size and Shrink
	MOVAPD   X5, X6
	UNPCKLPD X5, X5
	UNPCKHPD X6, X6
	MULPD    X5, X4
	MULPD    X6, X3
	ADDPD    X3, X4               // moved
	MOVAPD   X4, X5
	MULPD    X9, X5
	MOVAPD   X4, X6
	UNPCKLPD X5, X4
	UNPCKHPD X5, X6
	SUBPD    X4, X1
	SUBPD    X6, X2
	MOVUPD   X1, 0(SI)(R11*1)
	MOVUPD   X2, 16(SI)(R11*1)
	ADDQ     $24, DI
	INCQ     AX
	CMPQ     AX, CX
	JLT      next

moved:
	MOVQ AX, done+64(FP)
	RET
