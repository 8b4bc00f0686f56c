-- AlterTable
ALTER TABLE "authorizations" ADD COLUMN     "resources" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'admin';

-- AlterTable
ALTER TABLE "grants" ADD COLUMN     "ends_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "client_introductions" (
    "client_id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "document_hash" TEXT,
    "etag" TEXT,
    "fetched_at" TIMESTAMPTZ(3),
    "stale_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_introductions_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "client_requests" (
    "client_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "decision" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_requests_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "blocked_hosts" (
    "host" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "blocked_hosts_pkey" PRIMARY KEY ("host")
);

-- CreateTable
CREATE TABLE "registration_tokens" (
    "hash" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "registration_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "apis" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "token_format" TEXT NOT NULL DEFAULT 'opaque',
    "access_token_ttl" INTEGER,
    "access" TEXT NOT NULL DEFAULT 'admins',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "apis_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_scopes" (
    "api_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "translations" TEXT NOT NULL DEFAULT '{}',
    "position" INTEGER NOT NULL,

    CONSTRAINT "api_scopes_pkey" PRIMARY KEY ("api_id","name")
);

-- CreateTable
CREATE TABLE "api_clients" (
    "api_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_clients_pkey" PRIMARY KEY ("api_id","client_id","kind")
);

-- CreateTable
CREATE TABLE "device_authorizations" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "user_code" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "resources" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "user_id" TEXT,
    "interval" INTEGER NOT NULL,
    "asked_at" TIMESTAMPTZ(3),
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_authorizations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "client_introductions_host_idx" ON "client_introductions"("host");

-- CreateIndex
CREATE INDEX "client_requests_decision_asked_at_idx" ON "client_requests"("decision", "asked_at");

-- CreateIndex
CREATE INDEX "client_requests_user_id_idx" ON "client_requests"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "registration_tokens_id_key" ON "registration_tokens"("id");

-- CreateIndex
CREATE INDEX "registration_tokens_expires_at_idx" ON "registration_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "apis_identifier_key" ON "apis"("identifier");

-- CreateIndex
CREATE INDEX "apis_created_at_idx" ON "apis"("created_at");

-- CreateIndex
CREATE INDEX "api_clients_client_id_idx" ON "api_clients"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "device_authorizations_hash_key" ON "device_authorizations"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_authorizations_user_code_key" ON "device_authorizations"("user_code");

-- CreateIndex
CREATE INDEX "device_authorizations_client_id_idx" ON "device_authorizations"("client_id");

-- CreateIndex
CREATE INDEX "device_authorizations_user_id_idx" ON "device_authorizations"("user_id");

-- CreateIndex
CREATE INDEX "device_authorizations_expires_at_idx" ON "device_authorizations"("expires_at");

-- CreateIndex
CREATE INDEX "clients_origin_id_idx" ON "clients"("origin", "id");

-- AddForeignKey
ALTER TABLE "client_introductions" ADD CONSTRAINT "client_introductions_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_requests" ADD CONSTRAINT "client_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_scopes" ADD CONSTRAINT "api_scopes_api_id_fkey" FOREIGN KEY ("api_id") REFERENCES "apis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_api_id_fkey" FOREIGN KEY ("api_id") REFERENCES "apis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_authorizations" ADD CONSTRAINT "device_authorizations_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_authorizations" ADD CONSTRAINT "device_authorizations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
