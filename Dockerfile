# fairstream as one static binary, run by a user without rights.
#
#   docker build -t fairstream .
#   docker run --rm fairstream demo

FROM golang:1.26.4 AS build
WORKDIR /src
# Of the modules in go.work only the product is built.
ENV GOWORK=off
COPY go.mod go.sum ./
RUN go mod download
# .git comes along: the revision is stamped into the binary, and from there into every weight document.
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /fairstream ./cmd/fairstream

# Alpine for its wget, by which health is checked.
FROM alpine:3.22
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /fairstream /usr/local/bin/fairstream
COPY deploy/adult.yaml /etc/fairstream/adult.yaml
# By number, so that Kubernetes can tell that it is not root.
USER 65532:65532
# Within a container, 127.0.0.1 would be out of reach of whoever checks health or collects metrics.
ENV FAIRSTREAM_SERVER_ADDRESS=0.0.0.0:8468
EXPOSE 8468
STOPSIGNAL SIGTERM
ENTRYPOINT ["fairstream"]
CMD ["--help"]
