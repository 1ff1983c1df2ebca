# One server. Tables are stored in PostgreSQL (compose.yaml) or in a volume at /data; /cache holds only compiled rules.
FROM python:3.13-slim AS built
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE THIRD-PARTY-LICENSES.txt ./
COPY src ./src
RUN python -m venv /app \
 && PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
    /app/bin/pip install --no-cache-dir --disable-pip-version-check '.[server,postgres]'

FROM python:3.13-slim
# `pyramidion backup` runs pg_dump.
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends postgresql-client \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home pyramidion \
 && install -d -m 700 -o pyramidion -g pyramidion /data /cache
COPY --from=built /app /app
ENV PATH=/app/bin:$PATH PYTHONUNBUFFERED=1 \
    PYRAMIDION_DATA_DIR=/data PYRAMIDION_CACHE_DIR=/cache PYRAMIDION_LOG_FORMAT=json
USER pyramidion
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
# The server compiles the rules in the background after it starts; /ready reports when it accepts requests.
CMD ["pyramidion", "serve", "--host", "0.0.0.0", "--port", "8000"]
