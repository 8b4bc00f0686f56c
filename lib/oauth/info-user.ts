/** A user, with everything claims can contain. */
export type InfoUser = {
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
  /** JSON object of further standard claims. */
  claims: string;
  updatedAt: Date;
};
