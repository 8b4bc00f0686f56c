-- AlterTable
ALTER TABLE "operator_settings" ADD COLUMN     "issuer" TEXT,
ADD COLUMN     "issuer_since" TIMESTAMPTZ(3),
ADD COLUMN     "previous_issuer" TEXT;

-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN     "rp_id" TEXT;
