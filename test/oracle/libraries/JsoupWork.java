// A program that jsoup does the work of: it reads a page, and asks each of its links for the whole address, many times.
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.safety.Safelist;

public final class JsoupWork {
  public static void main(String[] args) {
    long end = System.currentTimeMillis() + Long.parseLong(args[0]) * 1000;
    String page = page(400);
    long length = 0;
    while (System.currentTimeMillis() < end) {
      Document document = Jsoup.parse(page, "http://acme.example/");
      for (int i = 0; i < 3; i++) for (Element link : document.select("a")) length += link.absUrl("href").length();
      length += document.select("div.c3 > a[href]").size() + document.text().length();
      length += Jsoup.clean(page, Safelist.basic()).length() + document.outerHtml().length();
    }
    System.out.println(length);
  }

  private static String page(int rows) {
    StringBuilder page = new StringBuilder("<html><head><title>t</title></head><body>");
    for (int row = 0; row < rows; row++)
      page.append("<div class='row c").append(row % 7).append("'><p>Text &amp; more ").append(row)
          .append("</p><a href='x/").append(row).append(".html'>link</a></div>");
    return page.append("</body></html>").toString();
  }
}
