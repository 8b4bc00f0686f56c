-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "ldap" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "ldap_passwords" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "posix_numbers" (
    "subject" TEXT NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "posix_numbers_pkey" PRIMARY KEY ("subject")
);

-- CreateIndex
CREATE UNIQUE INDEX "posix_numbers_number_key" ON "posix_numbers"("number");
