-- AlterTable
ALTER TABLE "users" ADD COLUMN     "require_second_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "users_require_second_factor_id_idx" ON "users"("require_second_factor", "id");
