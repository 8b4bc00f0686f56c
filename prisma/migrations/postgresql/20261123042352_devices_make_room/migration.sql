-- DropIndex
DROP INDEX "device_authorizations_client_id_idx";

-- AlterTable
ALTER TABLE "device_authorizations" ADD COLUMN     "network" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "seen_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "device_authorizations_client_id_state_network_expires_at_idx" ON "device_authorizations"("client_id", "state", "network", "expires_at");

-- CreateIndex
CREATE INDEX "device_authorizations_state_expires_at_network_idx" ON "device_authorizations"("state", "expires_at", "network");
