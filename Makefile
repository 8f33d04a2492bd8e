# Names of taskie's specification for npm's scripts. `test` is also a folder, so make must not take any of these for files.
.PHONY: test test-state test-validation

test:
	npm test

test-state:
	npm run test:state

test-validation:
	npm run test:validation
