-- AlterTable
ALTER TABLE "revision" ALTER COLUMN "value" SET DATA TYPE BIGINT;

-- CreateTable
CREATE TABLE "operator_settings" (
    "id" INTEGER NOT NULL,
    "profile" TEXT NOT NULL,
    "fixed" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_settings_pkey" PRIMARY KEY ("id")
);
