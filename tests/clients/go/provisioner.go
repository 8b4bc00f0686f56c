// What step-ca makes of an ID token: its OIDC provisioner, as ca.json sets it up. It prints the names
// that a certificate for its owner would have, or why there is none.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/smallstep/certificates/authority/provisioner"
)

func main() {
	var oidc provisioner.OIDC
	check(json.Unmarshal([]byte(os.Args[1]), &oidc))
	day := &provisioner.Duration{Duration: 24 * time.Hour}
	off := false
	claims := provisioner.Claims{
		MinTLSDur: day, MaxTLSDur: day, DefaultTLSDur: day,
		MinUserSSHDur: day, MaxUserSSHDur: day, DefaultUserSSHDur: day,
		MinHostSSHDur: day, MaxHostSSHDur: day, DefaultHostSSHDur: day,
		EnableSSHCA: &off, DisableRenewal: &off, AllowRenewalAfterExpiry: &off, DisableSmallstepExtensions: &off,
	}
	check(oidc.Init(provisioner.Config{Claims: claims}))
	nonce, err := oidc.GetTokenID(os.Args[2])
	check(err)
	_, err = oidc.AuthorizeSign(context.Background(), os.Args[2])
	check(err)
	fmt.Println(nonce != "", oidc.AuthorizeRevoke(context.Background(), os.Args[2]) == nil)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
