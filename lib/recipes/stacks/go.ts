import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { go, shell } from '../text.ts';

export const golang = recipe({
  id: 'go',
  name: 'Go with go-oidc',
  kind: 'stack',
  summary: 'golang.org/x/oauth2 and coreos/go-oidc',
  questions: { address: appAddress('http://localhost:5556') },
  client: { ...webClient, authentication: 'basic or post', pkce: 'by the text' },
  redirectUris: ({ address }) => [`${address}/callback`],
  steps: ['Write the file, then run the commands beside it.', 'Open /login.'],
  blocks: ({ address }, { server, clientId, clientSecret, redirectUri }) => [
    {
      title: 'main.go',
      ...go`
        package main

        import (
        	"context"
        	"encoding/json"
        	"log"
        	"net/http"

        	"github.com/coreos/go-oidc/v3/oidc"
        	"golang.org/x/oauth2"
        )

        func main() {
        	provider, err := oidc.NewProvider(context.Background(), ${server.issuer})
        	if err != nil {
        		log.Fatal(err)
        	}
        	verifier := provider.Verifier(&oidc.Config{ClientID: ${clientId}})
        	config := oauth2.Config{
        		ClientID:     ${clientId},
        		ClientSecret: ${clientSecret},
        		Endpoint:     provider.Endpoint(),
        		RedirectURL:  ${redirectUri},
        		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
        	}

        	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
        		// Both are bound to this browser until it comes back.
        		state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
        		for name, value := range map[string]string{"state": state, "pkce": pkce} {
        			http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/callback", HttpOnly: true, SameSite: http.SameSiteLaxMode})
        		}
        		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
        	})

        	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
        		state, err := r.Cookie("state")
        		if err != nil || r.FormValue("state") != state.Value {
        			http.Error(w, "This browser has not started this sign-in.", http.StatusBadRequest)
        			return
        		}
        		if reason := r.FormValue("error"); reason != "" {
        			http.Error(w, reason, http.StatusForbidden)
        			return
        		}
        		pkce, err := r.Cookie("pkce")
        		if err != nil {
        			http.Error(w, err.Error(), http.StatusBadRequest)
        			return
        		}
        		token, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(pkce.Value))
        		if err != nil {
        			http.Error(w, err.Error(), http.StatusBadGateway)
        			return
        		}
        		raw, _ := token.Extra("id_token").(string)
        		idToken, err := verifier.Verify(r.Context(), raw)
        		if err != nil {
        			http.Error(w, err.Error(), http.StatusBadGateway)
        			return
        		}
        		var claims map[string]any
        		if err := idToken.Claims(&claims); err != nil {
        			http.Error(w, err.Error(), http.StatusBadGateway)
        			return
        		}
        		w.Header().Set("Content-Type", "application/json")
        		json.NewEncoder(w).Encode(claims)
        	})

        	log.Fatal(http.ListenAndServe(${`:${new URL(address).port || '5556'}`}, nil))
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
