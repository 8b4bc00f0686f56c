-- AlterTable
ALTER TABLE "sessions" ADD COLUMN "identity_id" TEXT;
ALTER TABLE "sessions" ADD COLUMN "provider_sid" TEXT;

-- CreateIndex
CREATE INDEX "sessions_provider_sid_idx" ON "sessions"("provider_sid");
