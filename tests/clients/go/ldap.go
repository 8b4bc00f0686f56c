// Signs a person in as programs in Go do, with github.com/go-ldap/ldap: finds them as the app, binds
// as them, and reads the members of a group page by page.
package main

import (
	"fmt"
	"os"

	"github.com/go-ldap/ldap/v3"
)

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	url, app, secret, login, password := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	connection, err := ldap.DialURL(url)
	must(err)
	defer connection.Close()
	must(connection.Bind(app, secret))
	filter := fmt.Sprintf("(&(objectClass=inetOrgPerson)(|(uid=%s)(mail=%s)))", ldap.EscapeFilter(login), ldap.EscapeFilter(login))
	found, err := connection.Search(ldap.NewSearchRequest(app, ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, 2, 10, false, filter, []string{"dn", "displayName", "memberOf"}, nil))
	must(err)
	person := found.Entries[0]
	fmt.Println(len(found.Entries), person.GetAttributeValue("displayName"), len(person.GetAttributeValues("memberOf")))
	must(connection.Bind(person.DN, password))
	who, err := connection.WhoAmI(nil)
	must(err)
	fmt.Println(who.AuthzID == "dn:"+person.DN)
	fmt.Println(ldap.IsErrorWithCode(connection.Bind(person.DN, "wrong"), ldap.LDAPResultInvalidCredentials))
	must(connection.Bind(app, secret))
	all, err := connection.SearchWithPaging(ldap.NewSearchRequest("ou=people,"+app, ldap.ScopeSingleLevel, ldap.NeverDerefAliases, 0, 0, false, "(uid=*)", []string{"uid"}, nil), 1)
	must(err)
	fmt.Println(len(all.Entries))
	same, err := connection.Compare(person.DN, "uid", login)
	must(err)
	fmt.Println(same)
	_, err = connection.PasswordModify(ldap.NewPasswordModifyRequest(person.DN, password, "another"))
	fmt.Println(ldap.IsErrorWithCode(err, ldap.LDAPResultUnwillingToPerform))
}
