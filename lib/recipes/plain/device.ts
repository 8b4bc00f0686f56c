import { deviceGrant } from '../../oauth/grant-types.ts';
import { publicClient, recipe } from '../recipe.ts';
import { go, shell } from '../text.ts';

export const device = recipe({
  id: 'device',
  name: 'Device without a browser',
  kind: 'plain',
  summary: 'A TV, a console or a program that shows a code',
  names: 'device flow, device code, tv, smart tv, console, iot, headless',
  questions: {},
  client: { ...publicClient, pkce: 'no', grants: [deviceGrant, 'refresh_token'] },
  redirectUris: () => [],
  homePage: () => null,
  steps: [
    'Write the file, then run the commands beside it.',
    'Open the address that it prints on a phone or another computer, and type the code.',
  ],
  blocks: (_, { server, clientId }) => [
    {
      title: 'main.go',
      ...go`
        package main

        import (
        	"context"
        	"encoding/json"
        	"errors"
        	"fmt"
        	"log"

        	"golang.org/x/oauth2"
        )

        func main() {
        	ctx := context.Background()
        	config := oauth2.Config{
        		ClientID: ${clientId},
        		Scopes:   []string{"openid", "profile", "email", "offline_access"},
        		Endpoint: oauth2.Endpoint{
        			DeviceAuthURL: ${server.device},
        			TokenURL:      ${server.token},
        			AuthStyle:     oauth2.AuthStyleInParams,
        		},
        	}
        	device, err := config.DeviceAuth(ctx)
        	if err != nil {
        		log.Fatal(err)
        	}
        	fmt.Println("Open " + device.VerificationURI + " and type " + device.UserCode)

        	// Asks at the interval it was told, and slower when told so, until somebody has decided.
        	token, err := config.DeviceAccessToken(ctx, device)
        	if refused := new(oauth2.RetrieveError); errors.As(err, &refused) && refused.ErrorCode == "access_denied" {
        		log.Fatal("You said no. To try again, run this again.")
        	}
        	if err != nil {
        		log.Fatal(err)
        	}
        	// This client refreshes the token when it has expired.
        	answer, err := config.Client(ctx, token).Get(${server.userinfo})
        	if err != nil {
        		log.Fatal(err)
        	}
        	defer answer.Body.Close()
        	var user struct{ Username string }
        	if err := json.NewDecoder(answer.Body).Decode(&user); err != nil {
        		log.Fatal(err)
        	}
        	fmt.Println("Connected as " + user.Username)
        }
      `,
    },
    {
      title: 'Beside it',
      ...shell`
        go mod init example.org/device
        go get golang.org/x/oauth2@v0.37.0
        go run .
      `,
    },
  ],
  trap: 'Show the address and the code as they are: a code lasts ten minutes, and a program that asks more often than every five seconds is made to wait longer.',
  source: {
    version: 'golang.org/x/oauth2 0.37.0',
    pages: ['golang.org/x/oauth2: package documentation', 'RFC 8628'],
    notChecked: [],
  },
  checked: 'run',
});
