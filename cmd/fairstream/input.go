package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
)

// inputFlags add the flags that name a file of records, and its format.
func inputFlags(cmd *cobra.Command, from, format *string, usage string) {
	cmd.Flags().StringVarP(from, "input", "i", "", usage)
	cmd.Flags().StringVar(format, "format", "", input.FormatUsage)
	completeInput(cmd)
}

// completeInput lets a shell offer files of records for --input.
func completeInput(cmd *cobra.Command) {
	command.MustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet", "avro"))
}
