// Runs in test:long only.
import { formsGrowthSuite } from '../../rows/hostile/forms.ts'
import { growthSuite } from '../../rows/hostile/growth.ts'
import { paymentsRows } from './payments-rows.ts'

growthSuite(paymentsRows)
formsGrowthSuite(paymentsRows)
