"""Before a fake-gcs-server: turns uploads of the XML API, which object_store speaks, into those of the JSON API.

fake-gcs-server 1.x answers `PUT /BUCKET/OBJECT` with 400 "invalid uploadType" unless the address is a signed one. All else goes
through as it is. Usage: gcs_front.py PORT SERVER_PORT
"""

import http.client
import http.server
import json
import sys
import urllib.parse

PORT, SERVER_PORT = int(sys.argv[1]), int(sys.argv[2])


class Front(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def forward(self, method, path, headers, body):
        server = http.client.HTTPConnection("127.0.0.1", SERVER_PORT)
        server.request(method, path, body=body, headers=headers)
        answer = server.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {"Host": self.headers["Host"]}
        if self.command == "PUT":
            bucket, name = self.path.split("?")[0][1:].split("/", 1)
            # Uploads of the kind `media` do not look at the condition.
            query = {"uploadType": "multipart"}
            if "x-goog-if-generation-match" in self.headers:
                query["ifGenerationMatch"] = self.headers["x-goog-if-generation-match"]
            path = f"/upload/storage/v1/b/{bucket}/o?{urllib.parse.urlencode(query)}"
            headers["Content-Type"] = "multipart/related; boundary=a-boundary"
            about = json.dumps({"name": urllib.parse.unquote(name)}).encode()
            start, kind = b"--a-boundary\r\nContent-Type: ", b"application/octet-stream"
            body = start + b"application/json\r\n\r\n" + about + b"\r\n" + start + kind + b"\r\n\r\n" + body
            body += b"\r\n--a-boundary--\r\n"
            status, _, reply = self.forward("POST", path, headers, body)
            back = []
            if status == 200:
                known = json.loads(reply)
                back = [("ETag", known.get("etag") or '"0"'), ("x-goog-generation", str(known.get("generation", 0)))]
                reply = b""
        else:
            status, back, reply = self.forward(self.command, self.path, headers, body)
            back = [(k, v) for k, v in back if k.lower() not in ("connection", "transfer-encoding", "date")]
        self.send_response(status)
        for key, value in back:
            self.send_header(key, value)
        if not any(key.lower() == "content-length" for key, _ in back) and status != 204:
            self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Front).serve_forever()
