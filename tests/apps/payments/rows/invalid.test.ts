import { invalidSuite } from '../../rows/invalid.ts'
import { paymentsRows } from './payments-rows.ts'

invalidSuite(paymentsRows)
