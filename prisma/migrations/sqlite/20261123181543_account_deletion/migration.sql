-- AlterTable
ALTER TABLE "users" ADD COLUMN "deletion_at" DATETIME;

-- CreateIndex
CREATE INDEX "users_deletion_at_idx" ON "users"("deletion_at");
