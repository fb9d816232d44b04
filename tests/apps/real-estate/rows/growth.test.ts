// Runs in test:long only.
import { growthSuite } from '../../rows/hostile/growth.ts'
import { estateRows } from './estate-rows.ts'

growthSuite(estateRows)
