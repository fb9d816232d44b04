import test from 'ava'
import { printSeed } from '../../size.ts'
import './hostile/injection.ts'
import './hostile/values.ts'
import './hostile/urls.ts'
import './hostile/verbs.ts'

// One process for all of them: each would take longer to start than to run.
test.before((t) => printSeed(t))
