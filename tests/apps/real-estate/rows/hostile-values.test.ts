import test from 'ava'
import { printSeed } from '../../../size.ts'
import { injectionSuite } from '../../rows/hostile/injection.ts'
import { valuesSuite } from '../../rows/hostile/values.ts'
import { verbsSuite } from '../../rows/hostile/verbs.ts'
import { estateRows } from './estate-rows.ts'

// One process for all of them: each would take longer to start than to run.
test.before((t) => printSeed(t))

injectionSuite(estateRows)
valuesSuite(estateRows)
verbsSuite(estateRows)
