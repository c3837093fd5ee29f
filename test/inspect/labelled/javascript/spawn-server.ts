import { createServer } from 'node:http'

const port = Number(process.env.PORT ?? 8080)
createServer((request, response) => {
  response.end(`hello from ${request.url}`)
}).listen(port, () => console.log(`listening on ${port}`))
