-- AlterTable
ALTER TABLE "operator_settings" ADD COLUMN "issuer" TEXT;
ALTER TABLE "operator_settings" ADD COLUMN "issuer_since" DATETIME;
ALTER TABLE "operator_settings" ADD COLUMN "previous_issuer" TEXT;

-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN "rp_id" TEXT;
