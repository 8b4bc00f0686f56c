import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { go, shell } from '../text.ts';

export const golang = recipe({
  id: 'go',
  name: 'Go with go-oidc',
  mark: 'go',
  kind: 'stack',
  summary: 'golang.org/x/oauth2 and coreos/go-oidc',
  names: 'golang, gin, echo, chi, fiber, coreos oidc, x/oauth2',
  questions: { address: appAddress('http://localhost:5556') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/`],
  steps: ['Write the file, then run the commands beside it.', 'Open the app’s address.'],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'main.go',
      ...go`
        package main

        import (
        	"context"
        	"encoding/json"
        	"errors"
        	"fmt"
        	"html"
        	"log"
        	"net/http"
        	"net/url"
        	"sync"

        	"github.com/coreos/go-oidc/v3/oidc"
        	"golang.org/x/oauth2"
        )

        const home = ${`${address}/`}

        var (
        	provider *oidc.Provider
        	config   oauth2.Config
        )

        // A user is somebody who is signed in.
        type user struct {
        	name    string
        	idToken string
        	// It renews the token when it has expired.
        	tokens oauth2.TokenSource
        }

        // Who is signed in, by a cookie. In memory: a database keeps them through a restart.
        var users sync.Map

        func main() {
        	var err error
        	provider, err = oidc.NewProvider(context.Background(), ${server.issuer})
        	if err != nil {
        		log.Fatal(err)
        	}
        	config = oauth2.Config{
        		ClientID:     ${clientId},
        		ClientSecret: ${clientSecret},
        		Endpoint:     provider.Endpoint(),
        		RedirectURL:  ${redirectUri},
        		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", "offline_access"},
        	}
        	http.HandleFunc("GET /{$}", showHome)
        	http.HandleFunc("GET /login", signIn)
        	http.HandleFunc("GET /callback", finish)
        	http.HandleFunc("GET /me", showMe)
        	http.HandleFunc("POST /logout", signOut)
        	log.Fatal(http.ListenAndServe(${`:${new URL(address).port || '5556'}`}, nil))
        }

        func showHome(w http.ResponseWriter, r *http.Request) {
        	who := userOf(r)
        	if who != nil {
        		// Signed in at Gatehouse still: the renewal of the token finds out.
        		if _, err := who.tokens.Token(); err != nil {
        			refuse(w, r, err)
        			return
        		}
        	}
        	w.Header().Set("Content-Type", "text/html; charset=utf-8")
        	if who != nil {
        		fmt.Fprintf(w, "<p>Signed in as %s</p>", html.EscapeString(who.name))
        		fmt.Fprint(w, "<form method=\"post\" action=\"/logout\"><button>Sign out</button></form>")
        		return
        	}
        	fmt.Fprint(w, "<a href=\"/login\">Sign in</a>")
        }

        func signIn(w http.ResponseWriter, r *http.Request) {
        	// Both are bound to this browser until it comes back.
        	state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
        	setCookie(w, "state", state)
        	setCookie(w, "pkce", pkce)
        	http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
        }

        func finish(w http.ResponseWriter, r *http.Request) {
        	if state := cookie(r, "state"); state == "" || r.FormValue("state") != state {
        		http.Error(w, "This browser has not started this sign-in.", http.StatusBadRequest)
        		return
        	}
        	if reason := r.FormValue("error"); reason == "access_denied" {
        		w.Header().Set("Content-Type", "text/html; charset=utf-8")
        		fmt.Fprint(w, "You said no. <a href=\"/login\">Try again</a>")
        		return
        	} else if reason != "" {
        		http.Error(w, r.FormValue("error_description"), http.StatusForbidden)
        		return
        	}
        	who, err := userFor(r.Context(), r.FormValue("code"), cookie(r, "pkce"))
        	if err != nil {
        		refuse(w, r, err)
        		return
        	}
        	id := oauth2.GenerateVerifier()
        	users.Store(id, who)
        	setCookie(w, "user", id)
        	http.Redirect(w, r, "/", http.StatusFound)
        }

        // userFor redeems a code and says who is signed in. Key your accounts on idToken.Subject.
        func userFor(ctx context.Context, code, pkce string) (*user, error) {
        	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(pkce))
        	if err != nil {
        		return nil, err
        	}
        	raw, _ := token.Extra("id_token").(string)
        	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
        	if err != nil {
        		return nil, err
        	}
        	var claims struct {
        		Username string ${{ verbatim: '`json:"preferred_username"`' }}
        	}
        	if err := idToken.Claims(&claims); err != nil {
        		return nil, err
        	}
        	return &user{claims.Username, raw, config.TokenSource(context.Background(), token)}, nil
        }

        // showMe shows what the server says of the person now.
        func showMe(w http.ResponseWriter, r *http.Request) {
        	who := userOf(r)
        	if who == nil {
        		http.Redirect(w, r, "/login", http.StatusFound)
        		return
        	}
        	answer, err := oauth2.NewClient(r.Context(), who.tokens).Get(provider.UserInfoEndpoint())
        	if err != nil {
        		refuse(w, r, err)
        		return
        	}
        	defer answer.Body.Close()
        	var claims map[string]any
        	if answer.StatusCode == http.StatusUnauthorized {
        		refuse(w, r, errEnded)
        	} else if err := json.NewDecoder(answer.Body).Decode(&claims); err != nil {
        		refuse(w, r, err)
        	} else {
        		w.Header().Set("Content-Type", "application/json")
        		json.NewEncoder(w).Encode(claims)
        	}
        }

        var errEnded = errors.New("the access token is not valid any more")

        // refuse ends a sign-in that is over. Other faults pass, or are mended in the set-up.
        func refuse(w http.ResponseWriter, r *http.Request, err error) {
        	w.Header().Set("Content-Type", "text/html; charset=utf-8")
        	refused := new(oauth2.RetrieveError)
        	if err == errEnded || errors.As(err, &refused) && refused.ErrorCode == "invalid_grant" {
        		users.Delete(cookie(r, "user"))
        		w.WriteHeader(http.StatusUnauthorized)
        		fmt.Fprint(w, "Your sign-in has ended. <a href=\"/login\">Sign in again</a>")
        		return
        	}
        	log.Print(err)
        	w.WriteHeader(http.StatusServiceUnavailable)
        	fmt.Fprint(w, "That didn’t work. Try again in a minute, or <a href=\"/login\">sign in again</a>.")
        }

        // signOut leads out of this app, then out of Gatehouse.
        func signOut(w http.ResponseWriter, r *http.Request) {
        	query := url.Values{"post_logout_redirect_uri": {home}}
        	if who := userOf(r); who != nil {
        		query.Set("id_token_hint", who.idToken)
        	}
        	users.Delete(cookie(r, "user"))
        	http.Redirect(w, r, ${`${server.logout}?`}+query.Encode(), http.StatusSeeOther)
        }

        func userOf(r *http.Request) *user {
        	found, _ := users.Load(cookie(r, "user"))
        	who, _ := found.(*user)
        	return who
        }

        func cookie(r *http.Request, name string) string {
        	found, err := r.Cookie(name)
        	if err != nil {
        		return ""
        	}
        	return found.Value
        }

        func setCookie(w http.ResponseWriter, name, value string) {
        	http.SetCookie(w, &http.Cookie{
        		Name: name, Value: value, Path: "/", HttpOnly: true,
        		SameSite: http.SameSiteLaxMode, Secure: home[:6] == "https:",
        	})
        }
      `,
    },
    {
      title: 'Beside it',
      ...shell`
        go mod init example.org/app
        go get github.com/coreos/go-oidc/v3/oidc@v3.21.0 golang.org/x/oauth2@v0.37.0
        go run .
      `,
    },
  ],
  trap: 'The issuer has no trailing slash: go-oidc compares it exactly.',
  source: {
    version: 'golang.org/x/oauth2 0.37.0, coreos/go-oidc 3.21.0',
    pages: ['go-oidc: README', 'golang.org/x/oauth2: package documentation'],
    notChecked: [],
  },
  checked: 'run',
});
