// Runs in test:long only.

import { growthSuite } from '../../rows/hostile/growth.ts'
import { formsGrowthSuite } from '../../rows/hostile/oversized.ts'
import { paymentsRows } from './payments-rows.ts'

growthSuite(paymentsRows)
formsGrowthSuite(paymentsRows)
