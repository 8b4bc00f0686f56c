-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "identity_for" TEXT NOT NULL DEFAULT '{}',
ADD COLUMN     "identity_groups" TEXT NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "accepts_assertions" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "matches_addresses" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "authorizations_client_id_auth_time_idx" ON "authorizations"("client_id", "auth_time");
