package protobuf

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/fairstream/fairstream/internal/format"
)

// deep says whether brackets of a file nest deeper than format.MaxDepth, outside texts and comments: the compiler takes a kilobyte for each that is
// open.
func deep(text string) bool {
	open := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[', '(', '<':
			if open++; open > format.MaxDepth {
				return true
			}
		case '}', ']', ')', '>':
			open = max(open-1, 0)
		case '"', '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += comment(text[i:])
		}
	}
	return false
}

// comment returns how many bytes of a comment follow the first byte of text, which is a slash; 0 if it begins none.
func comment(text string) int {
	end := ""
	switch {
	case strings.HasPrefix(text, "//"):
		end = "\n"
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	default:
		return 0
	}
	if at := strings.Index(text[2:], end); at >= 0 {
		return 2 + at + len(end) - 1
	}
	return len(text)
}

// deepTypes says whether types are defined in others deeper than format.MaxDepth.
func deepTypes(types []*descriptorpb.DescriptorProto, depth int) bool {
	return depth > format.MaxDepth || slices.ContainsFunc(types, func(t *descriptorpb.DescriptorProto) bool { return deepTypes(t.NestedType, depth+1) })
}
