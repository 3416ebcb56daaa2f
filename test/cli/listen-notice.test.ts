import assert from 'node:assert/strict'
import { formatPortNotice } from '../../cli/api.ts'

describe('what a server says of its address when it starts', () => {
  it('names itself where another program has the port at which commands look', () => {
    const notice = formatPortNotice({}, 'http://127.0.0.1:8081')
    assert.match(notice, /port 8080 is taken.* SLIPWAY_SERVER=http:\/\/127\.0\.0\.1:8081$/)
  })

  it('says nothing of it at that port, nor where a port was asked for', () => {
    assert.equal(formatPortNotice({}, 'http://127.0.0.1:8080'), '')
    assert.equal(formatPortNotice({ listen: '127.0.0.1:9000' }, 'http://127.0.0.1:9000'), '')
  })
})
