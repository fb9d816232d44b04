// Also runs on MongoDB.
import { successSuite } from '../../rows/success.ts'
import { paymentsRows } from './payments-rows.ts'

successSuite(paymentsRows)
