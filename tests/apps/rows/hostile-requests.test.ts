import test from 'ava'
import { printSeed } from '../../size.ts'
import './hostile/growth.ts'
import './hostile/bodies.ts'
import './hostile/bombs.ts'
import './hostile/forms.ts'
import './hostile/fuzz.ts'

// One process for all of them: each would take longer to start than to run.
test.before((t) => printSeed(t))
