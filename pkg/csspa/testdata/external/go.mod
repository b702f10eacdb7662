module example.com/portfolio

go 1.26.0

require github.com/fairstream/fairstream v0.0.0

replace github.com/fairstream/fairstream => ../../../..
