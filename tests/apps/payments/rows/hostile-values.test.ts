import test from 'ava'
import { printSeed } from '../../../size.ts'
import { injectionSuite } from '../../rows/hostile/injection.ts'
import { valuesSuite } from '../../rows/hostile/values.ts'
import { verbsSuite } from '../../rows/hostile/verbs.ts'
import './literally.ts'
import { paymentsRows } from './payments-rows.ts'
import './urls.ts'

// One process for all of them: each would take longer to start than to run.
test.before((t) => printSeed(t))

injectionSuite(paymentsRows)
valuesSuite(paymentsRows)
verbsSuite(paymentsRows)
