import { jobsIn, processesIn } from '../../office/worker.ts'

export const jobs = jobsIn('payments')
export const processes = processesIn('payments')
