# A hosted reader in a container: one static program, nobody's shell, nothing to write to but its volume.
#
#   docker build -t figs-web .
#   docker run --read-only -p 8080:8080 -v figs-data:/var/lib/figs-web -e FIGS_WEB_PUBLIC_URL=https://figs.example.com figs-web
#
# docs/operations.md explains the rest.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY . .
RUN make bin/figs-web && go run ./internal/build/licenses -texts /THIRD_PARTY_LICENSES.txt && mkdir -m 0700 /data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /src/bin/figs-web /usr/local/bin/figs-web
COPY --from=build /THIRD_PARTY_LICENSES.txt /usr/share/doc/figs-web/THIRD_PARTY_LICENSES.txt
COPY --from=build --chown=65532:65532 /data /var/lib/figs-web
USER 65532:65532
VOLUME /var/lib/figs-web
EXPOSE 8080
STOPSIGNAL SIGTERM
# Where the container's command gives another port, give a health check of your own.
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["/usr/local/bin/figs-web", "probe", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["/usr/local/bin/figs-web"]
CMD ["serve", "--data", "/var/lib/figs-web", "--addr", "0.0.0.0:8080"]
