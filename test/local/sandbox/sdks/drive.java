import com.opentok.*;
import java.net.URI;
import java.net.http.*;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.*;

/** Calls the sandbox as a user of the Java SDK does. One line for each call: its name, and what came of it. */
class Drive {
  interface Act { Object run() throws Exception; }

  static Object call(String name, Act act) {
    try {
      Object value = act.run();
      System.out.println(name + "\tok\t" + value);
      return value;
    } catch (Throwable error) {
      System.out.println(name + "\terror\t" + error);
      return null;
    }
  }

  static String field(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  public static void main(String[] args) throws Exception {
    String url = args[0], key = args[1], secret = args[2], control = args[3];
    OpenTok opentok = new OpenTok.Builder(Integer.parseInt(key), secret).apiUrl(url).build();
    String session = opentok.createSession(new SessionProperties.Builder().mediaMode(MediaMode.ROUTED).build()).getSessionId();
    HttpRequest join = HttpRequest.newBuilder(URI.create(url + "/sandbox/sessions/" + session + "/participants"))
        .header("authorization", "Bearer " + control).POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"Ada\"}")).build();
    String guest = HttpClient.newHttpClient().send(join, HttpResponse.BodyHandlers.ofString()).body();
    String stream = field(guest, "streamId"), connection = field(guest, "connectionId");
    SignalProperties signal = new SignalProperties.Builder().type("chat").data("hello").build();

    call("signal", () -> { opentok.signal(session, signal); return null; });
    call("signal to one", () -> { opentok.signal(session, connection, signal); return null; });
    call("getStream", () -> opentok.getStream(session, stream).getName());
    call("listStreams", () -> opentok.listStreams(session).getTotalCount());
    call("setStreamLayouts", () -> {
      StreamProperties one = new StreamProperties.Builder().id(stream).addLayoutClass("focus").build();
      opentok.setStreamLayouts(session, new StreamListProperties.Builder().addStreamProperties(one).build());
      return null;
    });
    call("forceMuteAll", () -> { opentok.forceMuteAll(session, new MuteAllProperties.Builder().excludedStreamIds(List.of(stream)).build()); return null; });
    call("forceMuteStream", () -> { opentok.forceMuteStream(session, stream); return null; });
    call("disableForceMute", () -> { opentok.disableForceMute(session); return null; });

    String archive = (String) call("startArchive", () -> opentok.startArchive(session, "program").getId());
    call("getArchive", () -> opentok.getArchive(archive).getPartnerId());
    call("listArchives", () -> opentok.listArchives(session).getTotalCount());
    call("setArchiveLayout", () -> {
      ArchiveLayout pip = new ArchiveLayout(ArchiveLayout.Type.PIP);
      opentok.setArchiveLayout(archive, new ArchiveProperties.Builder().layout(pip).build());
      return null;
    });
    call("stopArchive", () -> opentok.stopArchive(archive).getStatus());

    String broadcast = (String) call("startBroadcast", () -> opentok.startBroadcast(session,
        new BroadcastProperties.Builder().hasHls(true).maxDuration(600).resolution("1280x720").build()).getId());
    call("getBroadcast", () -> opentok.getBroadcast(broadcast).getProjectId());
    call("setBroadcastLayout", () -> {
      BroadcastLayout layout = new BroadcastLayout(BroadcastLayout.Type.VERTICAL);
      opentok.setBroadcastLayout(broadcast, new BroadcastProperties.Builder().layout(layout).build());
      return null;
    });
    call("stopBroadcast", () -> opentok.stopBroadcast(broadcast).getStatus());

    String token = opentok.generateToken(session);
    SipProperties sip = new SipProperties.Builder().sipUri("sip:answer@example.com").from("1@example.com").build();
    call("generateToken", () -> token.substring(0, 4));
    call("dial", () -> opentok.dial(session, token, sip).getConnectionId());
    call("playDTMF", () -> { opentok.playDTMF(session, "1p#"); return null; });
    RenderProperties scene = new RenderProperties.Builder().url("https://scenes.example.com/lower-third").build();
    String render = (String) call("startRender", () -> opentok.startRender(session, token, scene).getId());
    call("getRender", () -> opentok.getRender(render).getProjectId());
    call("listRenders", () -> opentok.listRenders().size());
    call("stopRender", () -> { opentok.stopRender(render); return null; });
    call("forceDisconnect", () -> { opentok.forceDisconnect(session, connection); return null; });
    opentok.close();
    System.exit(0);
  }
}
