-- AlterTable
ALTER TABLE "users" ADD COLUMN     "deletion_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "users_deletion_at_idx" ON "users"("deletion_at");
