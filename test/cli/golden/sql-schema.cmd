recorder sql --schema
