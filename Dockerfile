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
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" \
    -gcflags "github.com/fairstream/fairstream/...=-pgoprofile=$(ls cmd/fairstream/replay-*.pgo)" -o /fairstream ./cmd/fairstream

# No shell, no package manager: the program is all there is. `fairstream health` asks whether it is ready.
FROM scratch
LABEL org.opencontainers.image.title="fairstream" \
      org.opencontainers.image.description="Learns fair linear models from Kafka topics" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/fairstream/fairstream" \
      org.opencontainers.image.documentation="https://github.com/fairstream/fairstream/blob/main/deploy/README.md"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /fairstream /usr/local/bin/fairstream
COPY deploy/adult.yaml /etc/fairstream/adult.yaml
# By number, so that Kubernetes can tell that it is not root.
USER 65532:65532
# Within a container, 127.0.0.1 would be out of reach of whoever checks health or collects metrics.
ENV FAIRSTREAM_SERVER_ADDRESS=0.0.0.0:8468 PATH=/usr/local/bin
EXPOSE 8468
STOPSIGNAL SIGTERM
# Ready, not only alive: it learns, and every operation of Kafka works. Other commands
# serve nothing, and are called unhealthy if they last: docker run --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["/usr/local/bin/fairstream", "health"]
ENTRYPOINT ["fairstream"]
CMD ["--help"]
