-- AlterTable
ALTER TABLE "client_users" ADD COLUMN     "end_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "ends_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "group_members" ADD COLUMN     "end_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "ends_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "end_reason" TEXT,
ADD COLUMN     "end_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "ends_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "client_users_ends_at_idx" ON "client_users"("ends_at");

-- CreateIndex
CREATE INDEX "group_members_ends_at_idx" ON "group_members"("ends_at");

-- CreateIndex
CREATE INDEX "users_ends_at_idx" ON "users"("ends_at");
