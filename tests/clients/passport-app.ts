import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { serveApp } from './visit.ts';

/**
 * An Express app that signs people in with a Passport strategy at `/login` and `/callback`, and
 * answers with the user.
 */
export function servePassport(
  makeStrategy: (callbackURL: string) => Promise<passport.Strategy>,
): Promise<string> {
  return serveApp(async (origin) => {
    const authenticator = new passport.Passport();
    authenticator.use('gatehouse', await makeStrategy(`${origin}/callback`));
    const app = express();
    app.use(session({ secret: 'only for this test', resave: false, saveUninitialized: false }));
    // Older strategies need what this adds to the request.
    app.use(authenticator.initialize());
    app.get('/login', authenticator.authenticate('gatehouse'));
    app.get(
      '/callback',
      authenticator.authenticate('gatehouse', { session: false }),
      (request, response) => {
        response.json(request.user);
      },
    );
    return app;
  });
}
