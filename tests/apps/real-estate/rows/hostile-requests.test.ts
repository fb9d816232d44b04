import test from 'ava'
import { printSeed } from '../../../size.ts'
import { bodiesSuite } from '../../rows/hostile/bodies.ts'
import { fuzzSuite } from '../../rows/hostile/fuzz.ts'
import { bombsSuite } from '../../rows/hostile/oversized.ts'
import { estateRows } from './estate-rows.ts'

// One process for all of them: each would take longer to start than to run.
test.before((t) => printSeed(t))

bodiesSuite(estateRows)
bombsSuite(estateRows)
fuzzSuite(estateRows)
