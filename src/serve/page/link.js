// The connection to the server. It comes back by itself; what was asked meanwhile waits.

const PING = 15000;
// A busy machine may take long to answer; whatever comes is a sign of life.
const PATIENCE = 30000;

export class Link {
  // `told` gets "here", "lost", and "anew" when the server is another one than before.
  constructor(told) {
    this.told = told;
    this.jobs = new Map();
    this.next = 1;
    this.run = null;
    this.pause = 300;
    this.open();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  get here() {
    return this.socket !== null && this.socket.readyState === WebSocket.OPEN && this.run !== null;
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    const address = new URL("/socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.ready = false;
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.socket === socket) this.lose();
    };
  }

  // A connection that is awaited is tried at once.
  hurry() {
    if (this.timer) this.open();
  }

  lose() {
    clearInterval(this.beat);
    clearTimeout(this.wait);
    this.ready = false;
    this.told("lost");
    for (const [id, job] of this.jobs) {
      if (job.again) {
        job.sent = false;
      } else if (job.sent) {
        this.jobs.delete(id);
        job.finish({ outcome: "lost", error: { message: "The connection was lost; try again." } });
      }
    }
    this.timer = setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(5000, this.pause * 1.6);
  }

  hear(message) {
    clearTimeout(this.wait);
    if (message.hello) {
      const before = this.run;
      this.run = message.hello.run;
      this.ready = true;
      this.pause = 300;
      this.beat = setInterval(() => this.ping(), PING);
      this.told(before !== null && before !== this.run ? "anew" : "here");
      for (const job of this.jobs.values()) job.send();
      return;
    }
    if (message.pong) return;
    const job = this.jobs.get(message.id);
    if (!job) return;
    if (message.data.record === "end") {
      this.jobs.delete(message.id);
      job.finish(message.data);
    } else {
      job.on(message.data.record, message.data);
    }
  }

  ping() {
    this.say({ ping: 1 });
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.socket.close(), PATIENCE);
  }

  say(message) {
    if (this.ready) this.socket.send(JSON.stringify(message));
  }

  // Asks something. `on` gets each record; `ended` is how it ended. A question that changes nothing and
  // is short may be asked `again` when the connection was lost.
  ask(question, on = () => {}, { again = false } = {}) {
    const id = this.next;
    this.next += 1;
    const job = { id, again, sent: false, on };
    job.ended = new Promise((resolve) => { job.finish = resolve; });
    job.send = () => {
      if (!this.ready || job.sent) return;
      job.sent = true;
      this.say({ ...question, id });
    };
    job.more = () => this.say({ id, word: "more" });
    job.stop = () => {
      if (job.sent && this.ready) {
        this.say({ id, word: "stop" });
      } else if (this.jobs.delete(id)) {
        job.finish({ outcome: "interrupted" });
      }
    };
    this.jobs.set(id, job);
    job.send();
    return job;
  }
}
