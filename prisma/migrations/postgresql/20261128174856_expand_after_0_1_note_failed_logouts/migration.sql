-- AlterTable
ALTER TABLE "logout_deliveries" ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "failure" TEXT;

-- CreateIndex
CREATE INDEX "logout_deliveries_client_id_failed_at_idx" ON "logout_deliveries"("client_id", "failed_at");
