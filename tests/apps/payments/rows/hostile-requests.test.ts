import test from 'ava'
import { printSeed } from '../../../size.ts'
import { bodiesSuite } from '../../rows/hostile/bodies.ts'
import { fuzzSuite } from '../../rows/hostile/fuzz.ts'
import { bombsSuite, formsSuite } from '../../rows/hostile/oversized.ts'
import { paymentsRows } from './payments-rows.ts'

// One process for these suites: each would take longer to start than to run.
test.before((t) => printSeed(t))

bodiesSuite(paymentsRows)
bombsSuite(paymentsRows)
formsSuite(paymentsRows)
fuzzSuite(paymentsRows)
