-- AlterTable
ALTER TABLE "clients" ADD COLUMN "open_paths" TEXT NOT NULL DEFAULT '';
ALTER TABLE "clients" ADD COLUMN "site_headers" TEXT NOT NULL DEFAULT '{}';
ALTER TABLE "clients" ADD COLUMN "pass_authorization" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "clients" ADD COLUMN "pass_preflights" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "client_addresses_kind_uri_idx" ON "client_addresses"("kind", "uri");
