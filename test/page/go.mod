// Tests of the page in a real browser, which the product and its own tests do not need.
module github.com/fairstream/fairstream/test/page

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/fairstream/fairstream v0.0.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/fairstream/fairstream => ../../
