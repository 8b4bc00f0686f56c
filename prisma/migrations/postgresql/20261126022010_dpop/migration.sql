-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "dpop_bound_access_tokens" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "require_dpop_nonce" BOOLEAN;
