// Tests of the page in a real browser, which the product and its own tests do not need.
module github.com/fairstream/fairstream/test/page

go 1.26.0

require github.com/fairstream/fairstream v0.0.0

replace github.com/fairstream/fairstream => ../../
