/** A person, as far as user information can tell of them. */
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

/**
 * What `/oauth/me` answers: always who it is and how to reach them, more by scope
 * (OpenID Connect Core section 5.4). Claims nobody filled in are left out.
 */
export function userInformation(user: InfoUser, scope: string): Record<string, unknown> {
  const scopes = scope.split(' ');
  const info: Record<string, unknown> = { sub: user.id, username: user.username, email: user.email };
  if (scopes.includes('email')) info.email_verified = user.emailVerified;
  if (scopes.includes('profile')) Object.assign(info, profileOf(user));
  return info;
}

function profileOf(user: InfoUser): Record<string, unknown> {
  return {
    ...(user.name && { name: user.name }),
    preferred_username: user.username,
    ...(user.picture && { picture: user.picture }),
    updated_at: Math.floor(user.updatedAt.getTime() / 1000),
  };
}
