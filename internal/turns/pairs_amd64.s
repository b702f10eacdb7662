#include "textflag.h"

// func read(c *Counts, at *Weights, margins *float32, count int, slots *int32, pairs int, turns *Turn) (done, found int)
//
// A register holds the same number of two records. SSE2 is all it needs, which every such processor has.
TEXT ·read(SB), NOSPLIT, $0-72
	MOVQ     c+0(FP), R13
	MOVQ     at+8(FP), DX
	MOVQ     margins+16(FP), SI
	MOVQ     count+24(FP), R10
	MOVQ     slots+32(FP), BX
	MOVQ     pairs+40(FP), CX
	MOVQ     turns+48(FP), DI
	MOVSD    0(DX), X8
	UNPCKLPD X8, X8              // Present
	MOVSD    8(DX), X9
	UNPCKLPD X9, X9              // Least
	MOVSD    16(DX), X10
	UNPCKLPD X10, X10            // Most
	XORPD    X11, X11            // how many are positive, at Present,
	XORPD    X12, X12            // by the free model,
	XORPD    X13, X13            // and at Least
	XORPD    X15, X15
	XORQ     AX, AX

pair:
	MOVLQSX  0(BX)(AX*8), R11
	MOVLQSX  4(BX)(AX*8), R12
	CMPQ     R11, R10
	JCC      end
	CMPQ     R12, R10
	JCC      end
	MOVSD    0(SI)(R11*8), X0
	MOVHPS   0(SI)(R12*8), X0
	MOVAPD   X0, X1
	SHUFPS   $0x88, X0, X0
	SHUFPS   $0xDD, X1, X1
	CVTPS2PD X0, X0              // rest
	CVTPS2PD X1, X1
	SUBPD    X0, X1              // slope
	MOVAPD   X1, X2
	MULPD    X8, X2
	ADDPD    X0, X2
	MOVAPD   X1, X3
	MULPD    X9, X3
	ADDPD    X0, X3
	MOVAPD   X1, X4
	MULPD    X10, X4
	ADDPD    X0, X4
	MOVAPD   X15, X5
	CMPPD    X2, X5, $1          // 0 < margin: all bits are set, which is −1
	PSUBQ    X5, X11
	MOVAPD   X15, X5
	CMPPD    X0, X5, $1
	PSUBQ    X5, X12
	MOVAPD   X15, X5
	CMPPD    X3, X5, $1
	PSUBQ    X5, X13
	MOVAPD   X15, X6
	CMPPD    X4, X6, $1
	XORPD    X5, X6              // which of them turn
	MOVMSKPD X6, R8
	MOVAPD   X0, X7
	UNPCKLPD X1, X7
	UNPCKHPD X1, X0
	MOVUPD   X7, 0(DI)           // one that does not turn is written over
	MOVL     R8, R9
	ANDL     $1, R9
	SHLQ     $4, R9
	ADDQ     R9, DI
	MOVUPD   X0, 0(DI)
	SHRL     $1, R8
	SHLQ     $4, R8
	ADDQ     R8, DI
	INCQ     AX
	CMPQ     AX, CX
	JLT      pair

end:
	MOVAPD     X11, X0
	PUNPCKHQDQ X0, X0
	PADDQ      X11, X0
	MOVQ       X0, R8
	ADDQ       R8, 0(R13)
	MOVAPD     X12, X0
	PUNPCKHQDQ X0, X0
	PADDQ      X12, X0
	MOVQ       X0, R8
	ADDQ       R8, 8(R13)
	MOVAPD     X13, X0
	PUNPCKHQDQ X0, X0
	PADDQ      X13, X0
	MOVQ       X0, R8
	ADDQ       R8, 16(R13)
	SUBQ       turns+48(FP), DI
	SHRQ       $4, DI
	MOVQ       AX, done+56(FP)
	MOVQ       DI, found+64(FP)
	RET
