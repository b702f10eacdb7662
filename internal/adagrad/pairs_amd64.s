#include "textflag.h"

// func take(first *Step, pairs int, size float64)
//
// A register holds the same number of two steps, which are 24 bytes apart. SSE2 is all it needs, which every such processor has.
TEXT ·take(SB), NOSPLIT, $0-24
	MOVQ     first+0(FP), AX
	MOVQ     pairs+8(FP), CX
	MOVSD    size+16(FP), X0
	UNPCKLPD X0, X0

pair:
	MOVSD  0(AX), X1
	MOVHPD 24(AX), X1 // Size
	MOVSD  8(AX), X2
	MOVHPD 32(AX), X2 // Shrink
	MOVSD  16(AX), X3
	MOVHPD 40(AX), X3 // Curvature
	SQRTPD X3, X4
	MULPD  X1, X4
	MOVAPD X2, X5
	MULPD  X0, X5
	ADDPD  X5, X4
	MOVAPD X0, X6
	DIVPD  X4, X6     // taken
	MULPD  X6, X3
	MULPD  X6, X2
	MOVLPD X3, 0(AX)
	MOVHPD X3, 24(AX)
	MOVLPD X2, 8(AX)
	MOVHPD X2, 32(AX)
	ADDQ   $48, AX
	DECQ   CX
	JNZ    pair
	RET
