# One server, in an image of about 320 MB without a shell (deploy/image.sh says what is in it). Tables are stored in PostgreSQL
# (compose.yaml) or in a volume at /data. /cache holds compiled rules and Python's bytecode, and can be thrown away.
FROM debian:trixie-slim AS built
WORKDIR /source
COPY deploy/image.sh hatch_build.py pyproject.toml constraints.txt README.md LICENSE THIRD-PARTY-LICENSES.txt ./
COPY src ./src
RUN sh image.sh

FROM scratch
COPY --from=built /image /
ENV PATH=/app/bin HOME=/tmp LANG=C.UTF-8 PYTHONUNBUFFERED=1 PYTHONPYCACHEPREFIX=/cache/bytecode \
    PYRAMIDION_DATA_DIR=/data PYRAMIDION_CACHE_DIR=/cache PYRAMIDION_LOG_FORMAT=json
USER 10001:10001
VOLUME ["/data", "/cache"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
# The server compiles the rules in the background after it starts; /ready reports when it accepts requests.
CMD ["pyramidion", "serve", "--host", "0.0.0.0", "--port", "8000"]
