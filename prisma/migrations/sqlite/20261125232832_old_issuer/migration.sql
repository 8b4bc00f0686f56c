-- AlterTable
ALTER TABLE "clients" ADD COLUMN "old_issuer" TEXT;

-- CreateIndex
CREATE INDEX "clients_old_issuer_idx" ON "clients"("old_issuer");
