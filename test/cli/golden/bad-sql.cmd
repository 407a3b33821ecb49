try() { recorder sql -q sample "$@"; echo "status $?"; }
try 'selec 1'
try 'SELECT bogus FROM records'
try 'DELETE FROM records'
try 'CREATE TEMP TABLE t (a)'
try "ATTACH 'x.sqlite' AS x"
try 'PRAGMA user_version = 7'
try 'SELECT 1; BEGIN'
try 'SELECT ?'
try ''
try 'SELECT sum(9223372036854775807) FROM records'
try
try sample more
recorder sql -q nothing 'SELECT 1'
recorder sql -q --script nothing sample
